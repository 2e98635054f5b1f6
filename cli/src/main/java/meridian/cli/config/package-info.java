/** The configuration of a program: defaults, file, environment, flags, in rising order. */
@NullMarked
package meridian.cli.config;

import org.jspecify.annotations.NullMarked;
