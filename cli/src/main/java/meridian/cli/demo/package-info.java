/** The demo: sample users, and a live table of what they see. */
@NullMarked
package meridian.cli.demo;

import org.jspecify.annotations.NullMarked;
