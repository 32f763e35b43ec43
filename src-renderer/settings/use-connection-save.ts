import { useState } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { oneAtATime } from '../design/form/one-at-a-time.ts';
import type { ConnectionFields } from './connection-form-state.ts';
import { problemsAfter, saveConnection, type FieldProblem } from './save-connection.ts';

interface ConnectionSave {
  problems: readonly FieldProblem[];
  showProblems: (problems: readonly FieldProblem[]) => void;
  /** To be called when a field changes: its problem is judged again. */
  changed: (fields: ConnectionFields) => void;
  isSaving: boolean;
  /** Saves the form. Null: it could not be saved, and `problems` say why, or it is already being saved. */
  save: (fields: ConnectionFields) => Promise<Connection | null>;
}

/**
 * Saves a form of a connection, once at a time. The key storage may take seconds, and a second press meanwhile would
 * make a second connection.
 */
export function useConnectionSave(): ConnectionSave {
  const [problems, showProblems] = useState<readonly FieldProblem[]>([]);
  const [isSaving, setSaving] = useState(false);
  // Two presses may come before the window shows that it is saving.
  const [once] = useState(oneAtATime);
  const saveNow = async (fields: ConnectionFields): Promise<Connection | null> => {
    setSaving(true);
    const outcome = await saveConnection(fields);
    setSaving(false);
    showProblems('problems' in outcome ? outcome.problems : []);
    return 'problems' in outcome ? null : outcome.connection;
  };
  return {
    problems,
    showProblems,
    changed: (fields) => showProblems(problemsAfter(problems, fields)),
    isSaving,
    save: (fields) => once(() => saveNow(fields)),
  };
}
