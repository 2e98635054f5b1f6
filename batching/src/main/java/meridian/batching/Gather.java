package meridian.batching;

import java.util.ArrayList;
import java.util.List;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
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
    int count = tickets.getFirst().inputs().size();
    memory.reset(bytes(tickets, count));
    List<NamedTensor> joined = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      List<Tensor> parts = new ArrayList<>(tickets.size());
      for (Ticket ticket : tickets) {
        parts.add(ticket.inputs().get(i).tensor());
      }
      String name = tickets.getFirst().inputs().get(i).name();
      joined.add(new NamedTensor(name, Rows.concat(parts, memory)));
    }
    return joined;
  }

  private static long bytes(List<Ticket> tickets, int inputs) {
    long bytes = 0;
    for (int i = 0; i < inputs; i++) {
      long size = 0;
      for (Ticket ticket : tickets) {
        size += ticket.inputs().get(i).tensor().data().byteSize();
      }
      bytes += LaneMemory.aligned(size);
    }
    return bytes;
  }

  private static boolean isOffHeap(NamedTensor input) {
    return input.tensor().data().isNative();
  }
}
