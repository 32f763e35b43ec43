import { WrapText } from 'lucide-react';
import { chooseSettings } from '../data/change-settings.ts';
import { useSession } from '../data/session-store.ts';
import { IconButton } from '../design/icon-button.tsx';
import { printedText } from '../messages/printed.ts';

/** Whether long lines wrap: the setting of plain output. */
export function WrapButton() {
  const chosen = useSession((state) => state.settings.plainOutput);
  return (
    <IconButton
      label={printedText.wrap}
      size="sm"
      hasSmallGlyph
      icon={<WrapText />}
      isOn={chosen.isWrapped}
      onClick={() => void chooseSettings({ plainOutput: { isWrapped: !chosen.isWrapped } })}
    />
  );
}
