import { Search } from 'lucide-react';
import { IconButton } from './icon-button.tsx';

/** Opens and closes the search of a pane. `label` is the accessible name, such as "Find in the input". */
export function FindButton({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <IconButton
      label={label}
      size="sm"
      hasSmallGlyph
      icon={<Search />}
      keys={['Ctrl', 'F']}
      isOn={isOn}
      onClick={() => onChange(!isOn)}
    />
  );
}
