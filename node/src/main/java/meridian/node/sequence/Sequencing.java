package meridian.node.sequence;

/** What a version with states needs to answer: the model's side and the open sequences. */
public record Sequencing(StatefulModel model, Sequences sequences) {}
