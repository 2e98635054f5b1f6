/** What lies on disk: model folders, their versions, and when they have stopped changing. */
@NullMarked
package meridian.node.repository;

import org.jspecify.annotations.NullMarked;
