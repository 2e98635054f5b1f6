package meridian.node.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryTest {

  @TempDir Path root;

  @Test
  void scan_versionFoldersAndJunk_onlyVersionsCountAndJunkIsNamed() throws IOException {
    for (String folder : new String[] {"1", "01", "v2", "1.0", "code", ".tmp-3", "9", "10"}) {
      write("m/" + folder + "/model.onnx");
    }
    write("m/9223372036854775808/model.onnx");
    Files.createDirectories(root.resolve("m/3"));
    write("m/4");

    ModelSource model = found().models().get("m");

    assertThat(model.versions().keySet()).containsExactly(1L, 9L, 10L);
    assertThat(model.skipped())
        .hasSize(8)
        .anySatisfy(what -> assertThat(what).startsWith("01: no version"))
        .anySatisfy(what -> assertThat(what).startsWith("v2: "))
        .anySatisfy(what -> assertThat(what).startsWith("1.0: "))
        .anySatisfy(what -> assertThat(what).startsWith("code: "))
        .anySatisfy(what -> assertThat(what).startsWith(".tmp-3: "))
        .anySatisfy(what -> assertThat(what).startsWith("9223372036854775808: "))
        .contains("3: an empty folder", "4: a file (expected: a folder)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a+b", "a%2Fb", "a:b", "modèle", "-x"})
  void scan_nameAgainstTheRule_isRefusedWithTheRule(String name) throws IOException {
    write(name + "/1/model.onnx");
    write("iris-v1.0.1/1/model.onnx");

    Listing.Found found = found();

    assertThat(found.models().keySet()).containsExactly("iris-v1.0.1");
    assertThat(found.refused().get(name)).contains("1 to 128 of A-Z a-z 0-9");
  }

  @Test
  void scan_hiddenEntryThatIsGoneWhenLookedAt_saysNothingAboutTheModel() throws IOException {
    write("m/1/model.onnx");
    Files.createSymbolicLink(root.resolve("m/.written.new"), root.resolve("gone"));

    ModelSource model = found().models().get("m");

    assertThat(model.fault()).isNull();
    assertThat(model.versions().keySet()).containsExactly(1L);
  }

  @Test
  void scan_missingRoot_isUnreadable() {
    assertThat(new Repository(root.resolve("gone")).scan())
        .isEqualTo(new Listing.Unreadable(root.resolve("gone") + ": it does not exist"));
  }

  @Test
  void fingerprint_fileOrConfigurationWritten_changes() throws IOException {
    Path model = write("m/1/model.onnx");
    Path yaml = write("m/model.yaml");
    Fingerprint before = fingerprint();

    Files.setLastModifiedTime(model, FileTime.fromMillis(1));
    Fingerprint touched = fingerprint();
    Files.writeString(yaml, "longer than before");
    Fingerprint configured = fingerprint();
    write("m/1/more.data");

    assertThat(touched).isNotEqualTo(before);
    assertThat(configured).isNotEqualTo(touched);
    assertThat(fingerprint()).isNotEqualTo(configured);
  }

  @Test
  void scan_linkThatLeavesTheModel_isAFaultOfThatVersionOnly() throws IOException {
    Path outside = Files.writeString(root.resolve("secret"), "x");
    write("m/1/model.onnx");
    Files.createDirectories(root.resolve("m/2"));
    Files.createSymbolicLink(root.resolve("m/2/model.onnx"), outside);

    ModelSource model = found().models().get("m");

    assertThat(model.versions().get(1L).fault()).isNull();
    assertThat(model.versions().get(2L).fault())
        .isEqualTo("2/model.onnx: a link that leaves the model's folder");
  }

  @Test
  void scan_linksInsideTheModel_areFollowed() throws IOException {
    write("m/.data-7/model.onnx");
    Files.createDirectories(root.resolve("m/1"));
    Files.createSymbolicLink(
        root.resolve("m/1/model.onnx"), Path.of("..", ".data-7", "model.onnx"));

    assertThat(found().models().get("m").versions().get(1L).fault()).isNull();
  }

  @Test
  void scan_linkToAFolderAbove_isAFaultNotALoop() throws IOException {
    write("m/1/model.onnx");
    Files.createSymbolicLink(root.resolve("m/1/again"), root.resolve("m"));

    assertThat(found().models().get("m").versions().get(1L).fault()).isNotNull();
  }

  private Listing.Found found() {
    return (Listing.Found) new Repository(root).scan();
  }

  private Fingerprint fingerprint() {
    return found().models().get("m").versions().get(1L).fingerprint();
  }

  private Path write(String path) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "content");
  }
}
