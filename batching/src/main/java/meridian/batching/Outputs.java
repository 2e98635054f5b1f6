package meridian.batching;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** From what the requests of a batch want to what each of them gets. */
final class Outputs {

  private Outputs() {}

  /** All names that any of the tickets wants. */
  static Set<String> wanted(List<Ticket> tickets) {
    Set<String> first = tickets.getFirst().work().outputs();
    for (Ticket ticket : tickets) {
      if (!first.containsAll(ticket.work().outputs())) {
        return union(tickets);
      }
    }
    return first;
  }

  private static Set<String> union(List<Ticket> tickets) {
    Set<String> union = new LinkedHashSet<>();
    for (Ticket ticket : tickets) {
      union.addAll(ticket.work().outputs());
    }
    return union;
  }

  /** Names an output that is wanted and not there, or null. */
  static @Nullable String missing(List<NamedTensor> outputs, Set<String> wanted) {
    for (String name : wanted) {
      if (!has(outputs, name)) {
        return "outputs: no \"%s\" from the model (expected: %s)".formatted(name, wanted);
      }
    }
    return null;
  }

  /** Names an output that has not one row for each row of the batch, or null. */
  static @Nullable String misshapen(List<NamedTensor> outputs, long rows) {
    for (NamedTensor output : outputs) {
      Shape shape = output.tensor().shape();
      if (shape.rank() == 0 || shape.dim(0) != rows) {
        return "outputs[\"%s\"].shape: %s from the model (expected: %d rows, as the inputs have)"
            .formatted(output.name(), shape, rows);
      }
    }
    return null;
  }

  /** Names an output that is not as long as the inputs were filled up to, or null. */
  static @Nullable String mislong(List<NamedTensor> outputs, List<Ticket> tickets) {
    int longest = Gather.longest(tickets);
    Padding padding = tickets.getFirst().queue().settings().padding();
    for (NamedTensor output : outputs) {
      Shape shape = output.tensor().shape();
      if (longest != Padding.NO_LENGTH
          && padding.outputs().contains(output.name())
          && (shape.rank() <= Padding.AXIS || shape.dim(Padding.AXIS) != longest)) {
        return "outputs[\"%s\"].shape: %s from the model (expected: %d after the rows, as the inputs have)"
            .formatted(output.name(), shape, longest);
      }
    }
    return null;
  }

  /** Each ticket's own rows of the outputs it wants, at its own length. */
  static List<List<NamedTensor>> split(List<NamedTensor> outputs, List<Ticket> tickets) {
    Set<String> padded = tickets.getFirst().queue().settings().padding().outputs();
    int[] rows = new int[tickets.size()];
    List<List<NamedTensor>> shares = new ArrayList<>(rows.length);
    for (int i = 0; i < rows.length; i++) {
      rows[i] = tickets.get(i).work().rows();
      shares.add(new ArrayList<>(outputs.size()));
    }
    for (NamedTensor output : outputs) {
      List<Tensor> parts = Rows.split(output.tensor(), rows);
      for (int i = 0; i < rows.length; i++) {
        Ticket ticket = tickets.get(i);
        if (ticket.work().outputs().contains(output.name())) {
          boolean cut = ticket.length() != Padding.NO_LENGTH && padded.contains(output.name());
          Tensor part = cut ? Rows.shorten(parts.get(i), ticket.length()) : parts.get(i);
          shares.get(i).add(new NamedTensor(output.name(), part));
        }
      }
    }
    return shares;
  }

  /** Those of the outputs that are wanted. */
  static List<NamedTensor> select(List<NamedTensor> outputs, Set<String> wanted) {
    List<NamedTensor> selected = new ArrayList<>(outputs.size());
    for (NamedTensor output : outputs) {
      if (wanted.contains(output.name())) {
        selected.add(output);
      }
    }
    return selected;
  }

  private static boolean has(List<NamedTensor> outputs, String name) {
    for (NamedTensor output : outputs) {
      if (output.name().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
