/** State that a model keeps from one request of a sequence to the next. */
@NullMarked
package meridian.node.sequence;

import org.jspecify.annotations.NullMarked;
