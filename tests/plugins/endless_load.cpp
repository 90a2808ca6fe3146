// Is never done with being loaded.
#include <unistd.h>

__attribute__((constructor)) static void wait_for_ever() {
  while (true) pause();
}
