import type { ReactElement } from 'react';
import { Segmented } from '../../design/segmented.tsx';
import { inputCountText } from '../../messages/composer/batch.ts';
import { useComposer, type InputCount } from '../composer-store.ts';
import { useBulk } from './bulk-store.ts';

/** The choice between one input and a batch of many. Both drafts are kept. */
export function InputCountSwitch(): ReactElement {
  const inputCount = useComposer((state) => state.inputCount) ?? 'one';
  const choose = (next: InputCount): void => {
    useComposer.getState().setInputCount(next);
    useBulk.getState().saveSoon();
  };
  return (
    <Segmented
      size="sm"
      label={inputCountText.label}
      value={inputCount}
      options={[
        { value: 'one', label: inputCountText.one },
        { value: 'many', label: inputCountText.many },
      ]}
      onChange={choose}
    />
  );
}
