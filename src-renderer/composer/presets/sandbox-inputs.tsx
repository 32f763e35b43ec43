import { FlaskConical } from 'lucide-react';
import type { ReactElement } from 'react';
import { useSession } from '../../data/session-store.ts';
import { sandboxInputText } from '../../messages/composer/presets.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import rail from '../rail.module.css';

/** The sandbox's endpoint whose jobs do what their input says. */
const mockEndpoint = 'mock';

/** One input for each thing that a mock job can do (docs/sandbox.md). */
const inputs = [
  { ...sandboxInputText.wait, input: { mock_delay: 5_000, mock_return: { ok: true } } },
  { ...sandboxInputText.fail, input: { mock_delay: 500, mock_error: sandboxInputText.failure } },
  { ...sandboxInputText.crash, input: { mock_delay: 500, mock_crash: true } },
  { ...sandboxInputText.stream, input: { mock_delay: 400, mock_stream: ['one ', 'two ', 'three'] } },
  { ...sandboxInputText.progress, input: { mock_delay: 1_000, mock_progress: [10, 50, 90], mock_return: 'finished' } },
];

/** Whether the draft goes to the sandbox's endpoint that these inputs are for. */
export function useIsMock({ connectionId, endpointId }: ComposerDraft): boolean {
  const isSandbox = useSession((state) => state.connections.find(({ id }) => id === connectionId)?.isSandbox === true);
  return isSandbox && endpointId === mockEndpoint;
}

/** What jobs of the sandbox's mock endpoint can do, as inputs to start from. */
export function SandboxInputs({ onInput }: { onInput: (inputText: string) => void }): ReactElement {
  return (
    <>
      <h3 className={rail.group}>{sandboxInputText.title}</h3>
      <ul aria-label={sandboxInputText.title}>
        {inputs.map(({ label, keys, input }) => (
          <li key={label}>
            <button type="button" className={rail.entry} onClick={() => onInput(JSON.stringify(input, null, 2))}>
              <FlaskConical size={14} strokeWidth={1.75} aria-hidden />
              <span className={rail.title}>{label}</span>
              <span className={rail.sub}>{keys}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
