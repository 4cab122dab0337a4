/// The interface that moves the clocks of a daemon started with `--test-clock`.
public enum TestClockInterface {
  /// Its name.
  public static let name = "io.lasched.TestClock"

  /// Its definition in the Varlink interface definition language.
  public static let definition = """
    # Moves the clocks of a daemon that was started with --test-clock, where time stands still
    # otherwise. Its owner and root may. Each method but Now replies once all that became due has
    # happened, is durable, and has been sent to every watcher: with the wall clock, how many events
    # that were, and the number of the last event there is.
    interface io.lasched.TestClock

    method Now() -> (wall: string, boottimeUSec: int)

    # Both clocks, deadline by deadline, so that nothing is late.
    method Advance(byUSec: int) -> (wall: string, events: int, sequence: int)

    # As Advance, up to a date.
    method AdvanceTo(date: string) -> (wall: string, events: int, sequence: int)

    # As Advance, up to the next deadline; with none ahead nothing moves.
    method AdvanceToNext() -> (wall: string, events: int, sequence: int)

    # Somebody sets the clock, forward or back: the wall clock alone.
    method Step(byUSec: int) -> (wall: string, events: int, sequence: int)

    # The machine sleeps: both clocks, noticed only at the end. An activity that is to wake it does, unless
    # there is a wake problem: what is left of the time then passes as with Advance.
    method Suspend(forUSec: int) -> (wall: string, events: int, sequence: int)

    # The system's time zone becomes another.
    method SetZone(zone: string) -> (wall: string, events: int, sequence: int)

    # What keeps the machine from being woken, as a daemon would find it; left out, nothing does.
    method SetWakeProblem(problem: ?string) -> (wall: string, events: int, sequence: int)

    # The next so many commits to the store fail.
    method FailNextCommits(count: int) -> (wall: string, events: int, sequence: int)

    """
}
