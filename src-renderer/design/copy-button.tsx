import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../bridge.ts';
import { IconButton } from './icon-button.tsx';
import { toast } from './toast.tsx';

/** Copies a text and shows a tick for a moment. A failure is said in a toast. */
export function CopyButton({ label, text, size = 'sm' }: { label: string; text: () => Promise<string> | string; size?: 'sm' | 'md' }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    const result = await call('app:copyText', { text: await text() });
    if (result.ok) setCopied(true);
    else toast(result.failure.message);
  };
  return <IconButton label={isCopied ? 'Copied' : label} size={size} hasSmallGlyph icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()} />;
}
