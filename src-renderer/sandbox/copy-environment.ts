import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { toast } from '../design/toast.tsx';
import { sandboxText } from '../messages/sandbox/pane.ts';

/** Copies the address and the key for a shell. The engine copies the key: this window never has it. */
export async function copyEnvironment(): Promise<void> {
  const result = orReport(await call('app:copySandboxEnvironment', undefined));
  if (result.ok) toast(sandboxText.environmentCopied);
}
