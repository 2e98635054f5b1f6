/** The {@code meridian} program: its commands, and the assembly of a region server. */
@NullMarked
package meridian.cli;

import org.jspecify.annotations.NullMarked;
