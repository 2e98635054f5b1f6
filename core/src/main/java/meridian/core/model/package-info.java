/** What a model is to the outside: name, signature, description, state, statistics. */
@NullMarked
package meridian.core.model;

import org.jspecify.annotations.NullMarked;
