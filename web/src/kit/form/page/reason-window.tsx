import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextAreaField, TextField } from '../../../ui/fields/field.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { useFieldErrorText, useRefusalWords } from '../../i18n/error-text.ts'
import { useKept } from '../state/use-kept-typing.ts'

interface ReasonWindowProps {
  /** Of what, and of which one: the words are kept under this name until they are given or given up */
  of: { path: string; id: number }
  title: ReactNode
  /** *Reason*, unless something else is asked */
  label?: ReactNode
  doLabel: string
  /** *Cancel*, unless that would say two things */
  cancelLabel?: string
  /** What happens to what */
  children?: ReactNode
  placeholder?: string | undefined
  /** Of several lines */
  isLong?: boolean
  maxLength?: number
  isOptional?: boolean
  /** Red by default (spec §9) */
  tone?: 'danger' | 'primary'
  /**
   * Sends it. What it throws, or answers as a list of sentences, is said in the window, which stays with the words.
   * `false`: the page behind says what is wrong, and the words are there when the window is opened again.
   */
  onGive: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason of something that is done to one record. Mounted only while it is open. */
export function ReasonWindow({
  of,
  title,
  label,
  doLabel,
  cancelLabel,
  children,
  placeholder,
  isLong = false,
  maxLength = 500,
  isOptional = false,
  tone = 'danger',
  onGive,
  onClose,
}: ReasonWindowProps) {
  const { t } = useTranslation('common')
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const reason = useKept(of.path, of.id, '')
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const said = reason.values.trim()
  const isMissing = !isOptional && said === ''
  const giveUp = () => {
    void reason.forget()
    onClose()
  }
  const refuse = (words: readonly string[]) => {
    setRefusals(words)
    setBusy(false)
  }
  const give = async () => {
    setTried(true)
    if (isMissing || isBusy) return
    setBusy(true)
    setRefusals([])
    try {
      const given = await onGive(said)
      if (Array.isArray(given) && given.length > 0) {
        refuse(given as string[])
        return
      }
      if (given !== false) await reason.forget()
      onClose()
    } catch (error) {
      refuse(refusalWords(error))
    }
  }
  const field = {
    label: label ?? t('reason'),
    placeholder,
    maxLength,
    isRequired: !isOptional,
    value: reason.values,
    error: isTried && isMissing ? fieldErrorText('reason_missing') : undefined,
    onChange: (event: { currentTarget: { value: string } }) => reason.set(event.currentTarget.value),
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={title}
      closeLabel={t('close')}
      onSubmit={() => void give()}
      footer={
        <>
          <Button onClick={giveUp}>{cancelLabel ?? t('cancel')}</Button>
          <Button type="submit" variant="filled" color={tone === 'danger' ? 'red' : 'petrol'} loading={isBusy}>
            {doLabel}
          </Button>
        </>
      }
    >
      <RefusalsNotice refusals={refusals} />
      {children}
      {isLong ? (
        <TextAreaField data-autofocus minRows={2} {...field} />
      ) : (
        <TextField data-autofocus autoComplete="off" {...field} />
      )}
    </ModalFrame>
  )
}
