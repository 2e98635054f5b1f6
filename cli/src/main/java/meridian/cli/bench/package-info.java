/** Open-loop load: arrivals, sample inputs, recording without coordinated omission, reports. */
@NullMarked
package meridian.cli.bench;

import org.jspecify.annotations.NullMarked;
