import { CircleX, Image, MessageSquareText } from 'lucide-react';
import { openComposer } from '../navigation/open-requests.ts';
import { Button } from '../design/button.tsx';
import type { Connection } from '../../src-preload/connection.ts';
import { sandboxExampleText } from '../messages/jobs/list.ts';
import styles from './jobs-pane.module.css';

const examples = [
  {
    endpointId: 'text',
    label: sandboxExampleText.streamText,
    icon: <MessageSquareText />,
    input: { prompt: sandboxExampleText.streamTextPrompt, max_tokens: 400 },
  },
  {
    endpointId: 'image',
    label: sandboxExampleText.makeImage,
    icon: <Image />,
    input: { prompt: sandboxExampleText.makeImagePrompt, width: 768, height: 768 },
  },
  {
    endpointId: 'mock',
    label: sandboxExampleText.failOnPurpose,
    icon: <CircleX />,
    input: { mock_delay: 500, mock_error: sandboxExampleText.failure },
  },
] as const;

/** Shown while the sandbox has no jobs: opens the composer with an example input. */
export function SandboxExamples({ connection }: { connection: Connection }) {
  const shown = examples.filter((example) =>
    connection.endpoints.some((endpoint) => endpoint.id === example.endpointId),
  );
  if (shown.length === 0) return null;
  return (
    <div className={styles.examples}>
      <span>{sandboxExampleText.orStartWith}</span>
      {shown.map(({ endpointId, label, icon, input }) => (
        <Button
          key={endpointId}
          variant="ghost"
          icon={icon}
          onClick={() => openComposer({ endpointId, inputText: JSON.stringify(input, null, 2) })}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
