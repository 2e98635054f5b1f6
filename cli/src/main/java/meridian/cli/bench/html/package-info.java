/** A report as one HTML file that needs nothing else. */
@NullMarked
package meridian.cli.bench.html;

import org.jspecify.annotations.NullMarked;
