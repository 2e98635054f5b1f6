package meridian.cli.bench.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import meridian.cli.bench.Figures;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {

  private static final String TITLE = "a</title><script>alert('x')</script> & \"b\"";

  private final String page = HtmlReport.of(Figures.report(TITLE));

  @Test
  void page_asXml_isWellFormedAndHasTheTitleAsText() throws Exception {
    Document document = parse();
    assertThat(texts(document, "title")).contains(TITLE);
    assertThat(texts(document, "h1")).containsExactly(TITLE);
    assertThat(document.getElementsByTagName("script").getLength()).isZero();
  }

  @Test
  void page_anything_needsNoNetwork() {
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .doesNotContain("http:", "https:", "url(", "@import", " src=", " href=");
  }

  @Test
  void page_figures_areInPlotsAndInTables() throws Exception {
    Document document = parse();
    assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(4);
    // Server and limit by percentile, P50 and P99 over time, answered and failed over time.
    assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(6);
    assertThat(texts(document, "td"))
        .contains("server", "1000", "3", "in process", "990", "model", "50.0 %", "network")
        .contains("overloaded", "queue: 9 < 10 & full", "100.0/s", "passed, decides");
    assertThat(texts(document, "p").getFirst()).contains("the server did not keep up");
  }

  @Test
  void page_points_lieInsideTheirPlot() throws Exception {
    NodeList dots = parse().getElementsByTagName("circle");
    assertThat(dots.getLength()).isGreaterThan(40);
    for (int i = 0; i < dots.getLength(); i++) {
      Element dot = (Element) dots.item(i);
      assertThat(Double.parseDouble(dot.getAttribute("cx"))).isBetween(56.0, 704.0);
      assertThat(Double.parseDouble(dot.getAttribute("cy"))).isBetween(28.0, 216.0);
    }
  }

  @Test
  void scale_ticks_areRoundAndFew() {
    assertThat(new Scale(104, 100).ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
    assertThat(new Scale(0.9, 1).ticks()).hasSizeBetween(4, 7);
    assertThat(new Scale(0, 1).ticks()).hasSizeBetween(4, 7);
  }

  private Document parse() throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  private static List<String> texts(Document document, String element) {
    NodeList found = document.getElementsByTagName(element);
    return IntStream.range(0, found.getLength())
        .mapToObj(i -> found.item(i).getTextContent())
        .toList();
  }
}
