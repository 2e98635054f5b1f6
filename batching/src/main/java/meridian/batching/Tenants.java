package meridian.batching;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who is to be served next among the tenants of a queue: start-time fair queueing (Goyal, Vin and
 * Cheng, 1996) in steps of a full batch. A request gets the virtual time at which its tenant's
 * earlier requests will have had their share; virtual time is that of the request served last, so a
 * tenant that was away cannot save up. Within a step the earliest deadline goes first, and a tenant
 * that is alone is served by deadline only: time stands still for it.
 */
final class Tenants {

  static final int MOST = 256;
  static final Tenant NOBODY = new Tenant();

  /** A tenant counts as present until as many full batches were served since its last request. */
  private static final int REMEMBERED_STEPS = 64;

  private final int stepSlots;
  private final Map<String, Tenant> tenants = new LinkedHashMap<>(16, 0.75f, true);
  private final Tenant crowd = new Tenant();
  private long virtualSlots;

  Tenants(int stepSlots) {
    this.stepSlots = stepSlots;
  }

  /** Gives the ticket its place among the tenants. */
  void place(Ticket ticket) {
    Tenant tenant = tenant(ticket.work().tenant());
    forgetAbsent();
    ticket.tenant = tenant;
    ticket.tag = isOnlyOne() ? virtualSlots : Math.max(virtualSlots, tenant.endSlots);
    ticket.round = ticket.tag / stepSlots;
  }

  /** True when others are present and the ticket's tenant waits for more than its share. */
  boolean isBeyondShare(Ticket ticket) {
    return ticket.round > virtualSlots / stepSlots;
  }

  void added(Ticket ticket) {
    ticket.tenant.waiting++;
    ticket.tenant.endSlots = ticket.tag + (isOnlyOne() ? 0 : ticket.slots());
  }

  void removed(Ticket ticket) {
    ticket.tenant.waiting--;
  }

  void served(Ticket ticket) {
    virtualSlots = Math.max(virtualSlots, ticket.tag);
  }

  /** Beyond {@value #MOST} tenants at once, the others are treated as one. */
  private Tenant tenant(String name) {
    Tenant tenant = tenants.get(name);
    if (tenant == null) {
      if (tenants.size() >= MOST) {
        return crowd;
      }
      tenant = new Tenant();
      tenants.put(name, tenant);
    }
    return tenant;
  }

  private void forgetAbsent() {
    if (tenants.size() > 1) {
      Iterator<Tenant> oldest = tenants.values().iterator();
      if (isAbsent(oldest.next())) {
        oldest.remove();
      }
    }
  }

  private boolean isAbsent(Tenant tenant) {
    return tenant.waiting == 0
        && virtualSlots - tenant.endSlots > (long) REMEMBERED_STEPS * stepSlots;
  }

  private boolean isOnlyOne() {
    return tenants.size() == 1;
  }

  /** One tenant's account. */
  static final class Tenant {
    private long waiting;
    private long endSlots;
  }
}
