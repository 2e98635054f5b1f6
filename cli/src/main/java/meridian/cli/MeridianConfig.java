package meridian.cli;

import meridian.node.NodeSettings;
import meridian.serving.ServerSettings;

/** What {@code meridian.yaml} holds. */
record MeridianConfig(ServerSettings server, NodeSettings node) {}
