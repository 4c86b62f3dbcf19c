import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { mailPath } from './mail-words.ts'
import { useBringIn } from './use-bring-in.ts'

interface ReadMailButtonProps {
  text: string
  /** its key was pressed before it was there: it reads at once */
  isAsked: boolean
  onTaken: () => void
}

/** Hands the pasted mail to the order mails, where it is read and becomes a draft. */
export function ReadMailButton({ text, isAsked, onTaken }: ReadMailButtonProps) {
  const { t } = useTranslation('intake')
  const navigate = useNavigate()
  const refusalWords = useRefusalWords()
  const { paste } = useBringIn()
  const isReady = text.trim() !== ''
  const read = () => {
    if (!isReady || paste.isPending) return
    paste.mutate(text, {
      onSuccess: ({ id }) => {
        if (id === null) return
        onTaken()
        void navigate({ to: mailPath(id) })
      },
    })
  }
  const begin = useEffectEvent(() => {
    if (isAsked) read()
  })
  useEffect(() => begin(), [])
  useShortcut({ key: 'Enter', alt: true, label: t('paste.read'), run: read, isEverywhere: true }, isReady)
  return (
    <>
      {paste.error === null ? null : <p role="alert">{refusalWords(paste.error).join('. ')}</p>}
      <Button variant="filled" disabled={!isReady} loading={paste.isPending} onClick={read}>
        {t('paste.asDraft')} <KeyHint>Alt</KeyHint> <KeyHint>Enter</KeyHint>
      </Button>
    </>
  )
}
