package meridian.cli.bench.html;

import java.util.List;

/**
 * Figures in rows and columns; the first column names the row.
 *
 * @param colours numbers of the style's series, one for each row; empty for none
 */
record Table(List<String> head, List<List<String>> rows, List<Integer> colours) {

  Table {
    head = List.copyOf(head);
    rows = List.copyOf(rows);
    colours = List.copyOf(colours);
  }

  static Table of(List<String> head, List<List<String>> rows) {
    return new Table(head, rows, List.of());
  }

  void write(Markup out) {
    out.open("div", "class", "wide").open("table").open("thead").open("tr");
    head.forEach(name -> out.element("th", name, "scope", "col"));
    out.close().close().open("tbody");
    for (int i = 0; i < rows.size(); i++) {
      row(out, i);
    }
    out.close().close().close();
  }

  private void row(Markup out, int number) {
    List<String> cells = rows.get(number);
    out.open("tr").open("td");
    if (!colours.isEmpty()) {
      out.element("span", "", "class", "swatch s" + colours.get(number));
    }
    out.text(cells.getFirst()).close();
    cells.stream().skip(1).forEach(cell -> out.element("td", cell));
    out.close();
  }
}
