// A traced program that does not care what becomes of its trace: whatever memory is refused to the
// tracer, it comes to its end.

#include <krait/trace.h>

#include <stdio.h>

int main (int argc, char **argv) {
  char message[KRAIT_MESSAGE_SIZE];
  if (argc != 2)
    return 2;
  krait_trace *trace = krait_trace_open (argv[1], 0, message, sizeof message);
  for (int i = 0; i < 3; i++) {
    krait_trace_session *session = krait_trace_session_open (trace, KRAIT_ANY_SESSION);
    krait_trace_begin (session);
    krait_trace_put (session, krait_text ("x"), krait_int (i));
    krait_trace_done (session);
    krait_trace_commit (session);
    krait_trace_end (session, KRAIT_COMMITTED);
    if (i == 1)
      krait_trace_session_close (session);
  }
  const int code = krait_trace_close (trace, message, sizeof message);
  printf ("the program goes on%s\n", code ? ", without a trace" : "");
  return 0;
}
