package meridian.batching;

import java.util.ArrayList;
import java.util.List;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** Joins the inputs of a batch's requests in a lane's memory. */
final class Gather {

  private final LaneMemory memory;

  Gather(LaneMemory memory) {
    this.memory = memory;
  }

  List<NamedTensor> inputs(List<Ticket> tickets) {
    return tickets.size() == 1 ? alone(tickets.getFirst().inputs()) : joined(tickets);
  }

  /** What the longest of the tickets is; {@link Padding#NO_LENGTH} when none is filled up. */
  static int longest(List<Ticket> tickets) {
    int longest = tickets.getFirst().length();
    for (int i = 1; i < tickets.size(); i++) {
      longest = Math.max(longest, tickets.get(i).length());
    }
    return longest;
  }

  /** Off-heap inputs of a single request are used where they are. */
  private List<NamedTensor> alone(List<NamedTensor> inputs) {
    long bytes = 0;
    for (NamedTensor input : inputs) {
      bytes += isOffHeap(input) ? 0 : LaneMemory.aligned(input.tensor().data().byteSize());
    }
    memory.reset(bytes);
    List<NamedTensor> offHeap = new ArrayList<>(inputs.size());
    for (NamedTensor input : inputs) {
      offHeap.add(
          isOffHeap(input)
              ? input
              : new NamedTensor(input.name(), Rows.copy(input.tensor(), memory)));
    }
    return offHeap;
  }

  private List<NamedTensor> joined(List<Ticket> tickets) {
    List<NamedTensor> first = tickets.getFirst().inputs();
    Padding padding = tickets.getFirst().queue().settings().padding();
    int longest = longest(tickets);
    memory.reset(bytes(tickets, padding, longest));
    List<NamedTensor> joined = new ArrayList<>(first.size());
    for (int i = 0; i < first.size(); i++) {
      String name = first.get(i).name();
      List<Tensor> parts = parts(tickets, i);
      byte[] fill = padding.fills().get(name);
      Tensor tensor =
          fill == null || longest == Padding.NO_LENGTH
              ? Rows.concat(parts, memory)
              : Rows.concat(parts, longest, fill, memory);
      joined.add(new NamedTensor(name, tensor));
    }
    return joined;
  }

  private static List<Tensor> parts(List<Ticket> tickets, int input) {
    List<Tensor> parts = new ArrayList<>(tickets.size());
    for (Ticket ticket : tickets) {
      parts.add(ticket.inputs().get(input).tensor());
    }
    return parts;
  }

  private static long bytes(List<Ticket> tickets, Padding padding, int longest) {
    int inputs = tickets.getFirst().inputs().size();
    long bytes = 0;
    for (int i = 0; i < inputs; i++) {
      long size = 0;
      for (Ticket ticket : tickets) {
        size += bytes(ticket.inputs().get(i), padding, longest);
      }
      bytes += LaneMemory.aligned(size);
    }
    return bytes;
  }

  private static long bytes(NamedTensor input, Padding padding, int longest) {
    Tensor tensor = input.tensor();
    if (longest == Padding.NO_LENGTH || !padding.fills().containsKey(input.name())) {
      return tensor.data().byteSize();
    }
    Shape shape = tensor.shape();
    return shape.dim(0) == 0 ? 0 : tensor.data().byteSize() / shape.dim(Padding.AXIS) * longest;
  }

  private static boolean isOffHeap(NamedTensor input) {
    return input.tensor().data().isNative();
  }
}
