/** What every implementation of an interface of core must keep to, as JUnit classes to extend. */
@NullMarked
package meridian.testkit.contract;

import org.jspecify.annotations.NullMarked;
