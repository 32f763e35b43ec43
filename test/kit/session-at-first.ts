import { useSession, type SessionState } from '../../src-renderer/data/session-store.ts';

/**
 * Runs `draw` with a session that knows this. A component that is drawn to text sees the state that the session's store
 * began with, so that is what is changed, and restored afterwards.
 */
export function withSession<T>(known: Partial<SessionState>, draw: () => T): T {
  const first = useSession.getInitialState();
  const before = { ...first };
  Object.assign(first, known);
  try {
    return draw();
  } finally {
    Object.assign(first, before);
  }
}
