import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { IconButton } from './icon-button.tsx';
import { toast } from './toast.tsx';
import { commonText } from '../messages/common.ts';

/** What a copy button copies: a text of the window, or a secret that only main may put on the clipboard. */
type Source = { text: () => Promise<string> | string } | { copy: () => Promise<Result<null>> };

/** Copies, and shows a tick for a moment. A failure is shown as a toast. */
export function CopyButton({
  label,
  size = 'sm',
  disabledReason,
  ...source
}: Source & { label: string; size?: 'sm' | 'md'; disabledReason?: string | undefined }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    const result = 'copy' in source ? await source.copy() : await call('app:copyText', { text: await source.text() });
    if (result.ok) setCopied(true);
    else toast(result.failure.message);
  };
  return (
    <IconButton
      label={isCopied ? commonText.copied : label}
      size={size}
      hasSmallGlyph
      icon={isCopied ? <Check /> : <Copy />}
      disabledReason={disabledReason}
      onClick={() => void copy()}
    />
  );
}
