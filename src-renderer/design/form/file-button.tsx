import { useRef, type ReactElement, type ReactNode } from 'react';
import { Button, type ButtonProps } from '../button.tsx';

interface FileButtonProps extends Pick<ButtonProps, 'icon' | 'hint'> {
  /** The accessible name of the field behind the button. */
  label: string;
  /** Extensions of the files that are offered, as in HTML. All by default. */
  accept?: string;
  isMultiple?: boolean;
  /** Called with at least one file. */
  onFiles: (files: readonly [File, ...File[]]) => void;
  children: ReactNode;
}

/** A small button that lets the user choose files. The same file can be chosen again. */
export function FileButton({
  label,
  accept,
  isMultiple = false,
  onFiles,
  children,
  ...button
}: FileButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const [first, ...others] = event.target.files ?? [];
          event.target.value = '';
          if (first !== undefined) onFiles([first, ...others]);
        }}
      />
      <Button variant="ghost" size="sm" {...button} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
