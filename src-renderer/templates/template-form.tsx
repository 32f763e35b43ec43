import { classes } from '../design/class-names.ts';
import { LineSwitch } from '../design/form/choice.tsx';
import { templateFieldText } from '../messages/templates/fields.ts';
import { formText, valueText } from '../messages/templates/form.tsx';
import { ArgumentList } from './argument-list.tsx';
import { EnvEditor } from './env-editor.tsx';
import { FieldFrame } from './field-frame.tsx';
import { FixedFacts } from './fixed-facts.tsx';
import { PortsEditor } from './ports-editor.tsx';
import { ReadmeEditor } from './readme-editor.tsx';
import { edit, useTemplate } from './template-store.ts';
import { TextLine } from './text-line.tsx';
import styles from './form.module.css';

/** Every field of a template: first those that an update can change, then the others. */
export function TemplateForm() {
  return (
    <div className={styles.form}>
      <section className={styles.section} aria-label={formText.image}>
        <h3>{formText.image}</h3>
        <div className={styles.grid}>
          <TextLine field="name" />
          <TextLine field="imageName" isWide isMono />
          <TextLine field="containerRegistryAuthId" isMono />
          <ArgumentList field="dockerEntrypoint" />
          <ArgumentList field="dockerStartCmd" />
        </div>
      </section>
      <section className={styles.section} aria-label={formText.storage}>
        <h3>{formText.storage}</h3>
        <div className={styles.grid}>
          <TextLine field="containerDiskInGb" unit={formText.wipedGb} />
          <TextLine field="volumeInGb" unit={formText.keptGb} />
          <TextLine field="volumeMountPath" isMono />
        </div>
      </section>
      <section className={classes(styles.section, styles.two)} aria-label={formText.portsAndEnv}>
        <div>
          <PortsEditor />
          <PublicSwitch />
        </div>
        <EnvEditor />
      </section>
      <section className={styles.section} aria-label={formText.readme}>
        <ReadmeEditor />
      </section>
      <FixedFacts />
    </div>
  );
}

function PublicSwitch() {
  const known = useTemplate(({ view }) => view?.known?.template.isPublic);
  const edited = useTemplate(({ edits }) => edits.isPublic);
  return (
    <div className={styles.public}>
      <FieldFrame
        field="isPublic"
        was={known === undefined ? valueText.notKnown : known === null ? 'null' : known ? valueText.on : valueText.off}
        aside={
          <LineSwitch
            name={templateFieldText.isPublic.label}
            isOn={edited ?? known ?? false}
            onChange={(isOn) => edit('isPublic', isOn)}
          />
        }
      >
        <p className={styles.hint}>
          {(known === undefined || known === null) && edited === undefined
            ? formText.publicUnknown
            : formText.publicHint}
        </p>
      </FieldFrame>
    </div>
  );
}
