import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { formatCountOf } from '../design/format.ts';
import { stopSandbox, useSandbox } from './sandbox-store.ts';

/** Asks before a stop that loses live jobs, wherever the stop was asked for: the pane, its window, the palette. */
export function StopDialog() {
  const jobsLost = useSandbox((state) => state.stopAsked);
  const close = (): void => useSandbox.setState({ stopAsked: null });
  return (
    <Dialog
      title="Stop the sandbox"
      isOpen={jobsLost !== null}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Keep it running</Button>
          <Button
            variant="danger-solid"
            onClick={() => {
              close();
              void stopSandbox();
            }}
          >
            {jobsLost === 1 ? 'Stop and lose it' : 'Stop and lose them'}
          </Button>
        </>
      }
    >
      {`${formatCountOf(jobsLost ?? 0, 'live job is', 'live jobs are')} lost with it: the sandbox keeps jobs in ` +
        `memory. What was received of ${jobsLost === 1 ? 'it' : 'them'} stays saved here.`}
    </Dialog>
  );
}
