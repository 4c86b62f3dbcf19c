import { Button, Combobox, useCombobox } from '@mantine/core'
import type { Reference } from '@waybill/contract/kit/fields'
import { createNote, type Note, type NoteWrite } from '@waybill/contract/order/note'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useMarkedFirst } from '../../../kit/list/reference/marked-first.ts'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useSteady } from '../../../ui/fields/use-steady.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { namedIn, nameBefore } from './mentions.ts'
import classes from './rail.module.css'
import { useReaders, useRefreshNotes } from './use-notes.ts'

const MOST_SIGNS = 4000
const NOBODY: readonly Reference[] = []

/** Where a new note is written. */
export function NewNote({ orderId }: { orderId: number }) {
  const { t } = useTranslation('order-rail')
  const refresh = useRefreshNotes(orderId)
  // A new field for the next note, once this one is kept.
  const [key, setKey] = useState(newIdempotencyKey)
  return (
    <NoteComposer
      key={key}
      orderId={orderId}
      submitLabel={t('send')}
      submit={(body) => callApi(createNote, { params: { id: orderId }, body, idempotencyKey: key })}
      onKept={() => {
        setKey(newIdempotencyKey())
        refresh()
      }}
    />
  )
}

interface TypedNote {
  text: string
  people: readonly Reference[]
}

interface NoteComposerProps {
  orderId: number
  note?: Note
  submitLabel: string
  submit: (body: NoteWrite) => Promise<unknown>
  /** The server has it */
  onKept: () => void
  onCancel?: () => void
}

/**
 * A note while it is written. `@` opens the people who may see the order; arrows walk, Enter and Tab take the marked
 * one, Escape closes. Ctrl+Enter keeps the note.
 */
export function NoteComposer({ orderId, note, submitLabel, submit, onKept, onCancel }: NoteComposerProps) {
  const { t } = useTranslation('order-rail')
  const errorText = useErrorText()
  const typed = useKept<TypedNote>(note === undefined ? 'notes' : 'notes/change', note?.id ?? orderId, {
    text: note?.text ?? '',
    people: note?.mentions ?? [],
  })
  const { text, people } = typed.values
  const [cursor, setCursor] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const named = nameBefore(text, cursor)
  const isLooking = combobox.dropdownOpened && named !== null
  const { data, isFetching, isPlaceholderData, refetch } = useReaders(orderId, isLooking ? named.q : null)
  const isComing = isLooking && isFetching && (data === undefined || isPlaceholderData)
  const { found, isFresh } = useSteady({ found: data?.items ?? NOBODY, isFresh: !isPlaceholderData }, isLooking)
  useMarkedFirst(combobox, isLooking && isFresh && found.length > 0, found)

  const follow = (element: HTMLTextAreaElement) => {
    typed.change({ text: element.value })
    setCursor(element.selectionStart)
    if (nameBefore(element.value, element.selectionStart) === null) combobox.closeDropdown()
    else combobox.openDropdown()
  }
  const put = (person: Reference) => {
    if (named === null) return
    const before = `${text.slice(0, named.at)}@${person.title} `
    const whole = before + text.slice(cursor).replace(/^ /, '')
    typed.set({ text: whole, people: [...people, person] })
    setCursor(before.length)
    combobox.closeDropdown()
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(before.length, before.length)
    })
  }
  /** Enter came before the answer to what was typed: it takes whom that names first. */
  const takeFirst = async () => {
    const { data: answer } = await refetch({ cancelRefetch: false })
    const first = answer?.items[0]
    // What was typed meanwhile may ask for somebody else.
    if (first && field.current?.value === text) put(first)
  }
  const giveUp =
    onCancel &&
    (() => {
      void typed.forget()
      onCancel()
    })
  const send = async () => {
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await submit({ text: text.trim(), mentionIds: namedIn(text, people) })
      await typed.forget()
      onKept()
    } catch (error) {
      notify({ tone: 'danger', title: t('notSaved'), detail: errorText(error), closeLabel: t('close') })
    }
    setBusy(false)
  }
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Combobox
        store={combobox}
        shadow="md"
        position="bottom-start"
        onOptionSubmit={(chosen) => found.filter(({ id }) => String(id) === chosen).forEach(put)}
      >
        <Combobox.Target withKeyboardNavigation={isLooking} withExpandedAttribute>
          <TextArea
            ref={field}
            aria-label={t('note')}
            placeholder={t('write')}
            value={text}
            minRows={1}
            maxRows={8}
            maxLength={MOST_SIGNS}
            onChange={(event) => follow(event.currentTarget)}
            onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                if (isLooking) combobox.closeDropdown()
                else giveUp?.()
                event.stopPropagation()
              } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault()
                void send()
              } else if (event.key === 'Enter' && !event.shiftKey && isComing) {
                event.preventDefault()
                void takeFirst()
              } else if (event.key === 'Tab' && isLooking && combobox.getSelectedOptionIndex() !== -1) {
                event.preventDefault()
                combobox.clickSelectedOption()
              }
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isLooking}>
          <Combobox.Options aria-label={t('people')}>
            {found.map(({ id, title }) => (
              <Combobox.Option key={id} value={String(id)}>
                {title}
              </Combobox.Option>
            ))}
            {data !== undefined && found.length === 0 ? <Combobox.Empty>{t('nobody')}</Combobox.Empty> : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {text.trim() === '' && giveUp === undefined ? null : (
        <div className={classes.buttons}>
          {giveUp === undefined ? null : (
            <Button size="compact-sm" onClick={giveUp}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" size="compact-sm" loading={isBusy} disabled={text.trim() === ''}>
            {submitLabel}
          </Button>
        </div>
      )}
    </form>
  )
}
