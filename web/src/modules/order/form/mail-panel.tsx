import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useField, useFormContext } from '../../../kit/form/state/form-context.ts'
import { loadTexts } from '../../../kit/i18n/i18n.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import classes from './mail-dock.module.css'

const ReadMailButton = lazy(async () => {
  const [file] = await Promise.all([import('../intake/read-button.tsx'), loadTexts('intake')])
  return { default: file.ReadMailButton }
})

// Pressed before the button has been loaded: it is heard here, and the button begins with it.
function EarlyPress({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation('order')
  useShortcut({ key: 'Enter', alt: true, label: t('fields.originalMessage'), run: onPress, isEverywhere: true })
  return null
}

/** The mail as it came: pasted here, kept with the order. Its key leads into it, and out again. */
export function OrderMailPanel({ onEnter, onClose }: { onEnter: (from: HTMLElement) => void; onClose: () => void }) {
  const { t } = useTranslation('order')
  const field = useField<string | null>('originalMessage')
  // Of an order that is there a mail changes something, or nothing: it becomes no second one.
  const isNew = useFormContext().base === null
  const text = useRef<HTMLTextAreaElement>(null)
  const [isAsked, setAsked] = useState(false)
  const enter = () => text.current?.focus({ preventScroll: true })
  useEffect(enter, [])
  useShortcut({
    key: 'm',
    alt: true,
    label: t('fields.originalMessage'),
    run: () => (document.activeElement === text.current ? onClose() : enter()),
    isEverywhere: true,
  })
  return (
    <aside
      className={classes.panel}
      data-mail-open
      aria-label={t('fields.originalMessage')}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) onEnter(relatedTarget)
      }}
      onKeyDown={(event) => (event.key === 'Escape' ? onClose() : undefined)}
    >
      <header className={classes.head}>
        <h2>{t('fields.originalMessage')}</h2>
        <span className={classes.keys}>
          <KeyHint>Alt</KeyHint> <KeyHint>M</KeyHint>
        </span>
        <IconButton icon="close" isSmall label={t('mailDock.close')} onClick={onClose} />
      </header>
      <textarea
        ref={text}
        name="originalMessage"
        className={classes.text}
        aria-label={t('fields.originalMessage')}
        aria-invalid={field.error !== undefined}
        aria-describedby="order-mail-note"
        data-changed={field.isChanged || undefined}
        readOnly={field.isReadOnly}
        spellCheck={false}
        placeholder={t('mailDock.paste')}
        value={field.value ?? ''}
        onChange={(event) => field.set(event.currentTarget.value)}
      />
      <p id="order-mail-note" className={classes.note} data-wrong={field.error !== undefined || undefined}>
        {field.error ?? t('mailDock.means')}
      </p>
      {isNew ? (
        <Suspense fallback={<EarlyPress onPress={() => setAsked(true)} />}>
          <ReadMailButton text={field.value ?? ''} isAsked={isAsked} onTaken={() => field.set(null)} />
        </Suspense>
      ) : null}
    </aside>
  )
}
