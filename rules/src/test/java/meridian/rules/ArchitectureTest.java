package meridian.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The module table of the design, checked on the class files of all modules. */
class ArchitectureTest {
  private static final String[] ARMERIA = {"com.linecorp.armeria..", "io.netty.."};
  private static final String[] ONNX_RUNTIME = {"ai.onnxruntime.."};
  private static final String[] TELEMETRY = {
    "org.slf4j..", "java.util.logging..", "io.prometheus..", "io.opentelemetry..", "io.micrometer.."
  };

  /** Module, the modules it may use. */
  static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          entry("core", List.of()),
          entry("proto", List.of()),
          entry("batching", List.of("core")),
          entry("fleet", List.of("core")),
          entry("pipeline", List.of("core")),
          entry("onnx", List.of("core")),
          entry("protocol", List.of("core", "proto")),
          entry("serving", List.of("core", "proto", "protocol")),
          entry("client", List.of("core", "proto", "protocol")),
          entry("node", List.of("core", "proto", "batching", "pipeline", "serving")),
          entry("lab", List.of("core")),
          entry("testkit", List.of("core")));

  static final Collection<String> MODULES = MAY_USE.keySet();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("meridian");

  @ParameterizedTest
  @FieldSource("MODULES")
  void module_otherModules_usesOnlyThoseBelow(String module) {
    String[] allowed =
        Stream.concat(Stream.of(module), MAY_USE.get(module).stream())
            .map(ArchitectureTest::packages)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(packages(module))
        .should()
        .dependOnClassesThat(
            resideInAPackage("meridian..")
                .and(not(resideInAnyPackage(allowed)))
                .as("reside in a module other than %s", MAY_USE.get(module)))
        .check(CLASSES);
  }

  @Test
  void packages_imports_formNoCycle() {
    slices().assignedFrom(new PackageSlices()).should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void core_libraries_onlyJdkAndJspecify() {
    noClasses()
        .that()
        .resideInAPackage(packages("core"))
        .should()
        .dependOnClassesThat(not(resideInAnyPackage("java..", "org.jspecify..", packages("core"))))
        .check(CLASSES);
  }

  @Test
  void decisions_loggingAndMetrics_areNotUsed() {
    mayNotSee("batching", TELEMETRY);
    mayNotSee("fleet", TELEMETRY);
  }

  @Test
  void pipeline_transportAndRuntime_areNotUsed() {
    mayNotSee("pipeline", ARMERIA);
    mayNotSee("pipeline", ONNX_RUNTIME);
  }

  @Test
  void onnx_transport_isNotUsed() {
    mayNotSee("onnx", ARMERIA);
  }

  @Test
  void protocol_transport_isNotUsed() {
    mayNotSee("protocol", ARMERIA);
  }

  @Test
  void serving_runtime_isNotUsed() {
    mayNotSee("serving", ONNX_RUNTIME);
  }

  @Test
  void slf4j_algorithmsAndCodecs_doNotLog() {
    for (String module : List.of("core", "batching", "fleet", "pipeline", "protocol")) {
      mayNotSee(module, "org.slf4j..", "ch.qos.logback..");
    }
  }

  @Test
  void javaUtilLogging_anywhere_isNotUsed() {
    noClasses()
        .that()
        .resideOutsideOfPackage(packages("proto"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.logging..")
        .check(CLASSES);
  }

  @Test
  void standardStreams_outsideCli_areNotUsed() {
    noClasses()
        .that()
        .resideOutsideOfPackage(packages("cli"))
        .should(ACCESS_STANDARD_STREAMS)
        .check(CLASSES);
  }

  @Test
  void clock_outsideCoreTime_isNotRead() {
    noClasses()
        .that()
        .resideOutsideOfPackage("meridian.core.time..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(Clock.class, "systemDefaultZone")
        .check(CLASSES);
  }

  private static void mayNotSee(String module, String... libraries) {
    noClasses()
        .that()
        .resideInAPackage(packages(module))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries)
        .check(CLASSES);
  }

  private static String packages(String module) {
    return "meridian." + module + "..";
  }

  /** One slice per package; generated code is left out. */
  private static final class PackageSlices implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      String name = javaClass.getPackageName();
      return name.startsWith("meridian.proto")
          ? SliceIdentifier.ignore()
          : SliceIdentifier.of(name);
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }
}
