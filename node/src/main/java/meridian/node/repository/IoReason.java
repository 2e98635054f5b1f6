package meridian.node.repository;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Says in words what the JDK's file exceptions say by their class only, and keeps paths of the
 * server's own to itself.
 */
final class IoReason {

  private IoReason() {}

  static String of(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "no permission to read it";
      case NoSuchFileException _ -> "it does not exist";
      case NotDirectoryException _ -> "it is not a folder";
      case FileSystemLoopException _ -> "a link to a folder above it";
      case FileSystemException fault when fault.getReason() != null -> fault.getReason();
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }
}
