/** Links between cities, emulated between sockets of one machine. */
@NullMarked
package meridian.lab.wan;

import org.jspecify.annotations.NullMarked;
