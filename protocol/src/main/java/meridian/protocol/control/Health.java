package meridian.protocol.control;

/**
 * @param live whether the process answers
 * @param ready whether the server should get traffic
 */
public record Health(boolean live, boolean ready) {}
