import { useMemo } from 'react';
import { PlainText } from './plain-text.tsx';
import { wholeText } from './text-source.ts';

/** A complete text as virtualised plain rows. */
export function StillText({
  text,
  isFinding = false,
  onFindEnd,
}: {
  text: string;
  isFinding?: boolean;
  onFindEnd?: () => void;
}) {
  const source = useMemo(() => wholeText(text), [text]);
  return (
    <PlainText
      source={source}
      version={0}
      isFollowing={false}
      onFollowChange={() => {}}
      isFinding={isFinding}
      {...(onFindEnd === undefined ? {} : { onFindEnd })}
    />
  );
}
