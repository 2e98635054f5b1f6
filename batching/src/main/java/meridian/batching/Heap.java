package meridian.batching;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose elements know their place, so that any of them is removed or moved in O(log
 * n) and nothing of it stays behind. An element may be in several heaps if each keeps its place in
 * a field of its own.
 */
abstract class Heap<E> {

  static final int ABSENT = -1;

  private @Nullable Object[] elements = new @Nullable Object[4];
  private int size;

  abstract boolean before(E a, E b);

  abstract int place(E element);

  abstract void place(E element, int place);

  final int size() {
    return size;
  }

  final boolean contains(E element) {
    return place(element) != ABSENT;
  }

  final @Nullable E first() {
    return size == 0 ? null : at(0);
  }

  /**
   * The first element of a heap that is known to have one.
   *
   * @throws IllegalStateException if it has none
   */
  final E head() {
    if (size == 0) {
      throw new IllegalStateException("elements: none (expected: 1 or more)");
    }
    return at(0);
  }

  /** One of the elements, in no particular order. */
  final E element(int index) {
    return at(index);
  }

  /** Has the element in the heap at its right place, or not at all. */
  final void keep(E element, boolean wanted) {
    if (!contains(element)) {
      if (wanted) {
        add(element);
      }
    } else if (wanted) {
      settle(element, place(element));
    } else {
      remove(element);
    }
  }

  final void add(E element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, size * 2);
    }
    size++;
    up(element, size - 1);
  }

  /** Takes the element out without looking at its order. */
  final void remove(E element) {
    int hole = place(element);
    place(element, ABSENT);
    size--;
    E last = at(size);
    elements[size] = null;
    if (hole < size) {
      settle(last, hole);
    }
  }

  private void settle(E element, int from) {
    int place = up(element, from);
    if (place == from) {
      down(element, from);
    }
  }

  private int up(E element, int from) {
    int at = from;
    while (at > 0) {
      E parent = at((at - 1) >>> 1);
      if (!before(element, parent)) {
        break;
      }
      put(parent, at);
      at = (at - 1) >>> 1;
    }
    put(element, at);
    return at;
  }

  private void down(E element, int from) {
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && before(at(child + 1), at(child))) {
        child++;
      }
      if (!before(at(child), element)) {
        break;
      }
      put(at(child), at);
      at = child;
    }
    put(element, at);
  }

  private void put(E element, int at) {
    elements[at] = element;
    place(element, at);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // below size there are only elements
  private E at(int index) {
    return (E) elements[index];
  }
}
