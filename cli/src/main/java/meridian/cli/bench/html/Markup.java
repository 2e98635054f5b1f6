package meridian.cli.bench.html;

import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes elements that are closed, and texts that are escaped. */
final class Markup {

  private final StringWriter text = new StringWriter();
  private final XMLStreamWriter out;

  Markup() {
    try {
      out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The beginning of an HTML document. */
  Markup doctype() {
    return write(() -> out.writeDTD("<!DOCTYPE html>\n"));
  }

  /**
   * @param attributes names and values in turn
   */
  Markup open(String element, Object... attributes) {
    return write(
        () -> {
          out.writeStartElement(element);
          for (int i = 0; i < attributes.length; i += 2) {
            out.writeAttribute(attributes[i].toString(), attributes[i + 1].toString());
          }
        });
  }

  Markup text(String characters) {
    return write(() -> out.writeCharacters(characters));
  }

  Markup close() {
    return write(out::writeEndElement);
  }

  /** A whole element with nothing but text in it. */
  Markup element(String element, String characters, Object... attributes) {
    return open(element, attributes).text(characters).close();
  }

  /** A whole element with nothing in it, of those that HTML lets be so. */
  Markup empty(String element, Object... attributes) {
    return write(
        () -> {
          out.writeEmptyElement(element);
          for (int i = 0; i < attributes.length; i += 2) {
            out.writeAttribute(attributes[i].toString(), attributes[i + 1].toString());
          }
        });
  }

  @Override
  public String toString() {
    write(out::flush);
    return text.toString();
  }

  private Markup write(Step step) {
    try {
      step.run();
      return this;
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a string takes every text", e);
    }
  }

  private interface Step {
    void run() throws XMLStreamException;
  }
}
