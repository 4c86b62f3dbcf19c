import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'

const TOLD_MS = 2_000

/** Copies a text and says so. Not there where the browser keeps the clipboard to itself, as it does on plain http. */
export function CopyButton({ text, label, isIcon = false }: { text: string; label: string; isIcon?: boolean }) {
  const { t } = useTranslation('auth')
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (navigator.clipboard === undefined) return null
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  const icon = isCopied ? 'check' : 'copy'
  const words = isCopied ? t('copied') : label
  if (isIcon) return <IconButton icon={icon} isSmall label={words} onClick={copy} />
  return (
    <Button size="compact-sm" leftSection={<Icon name={icon} />} onClick={copy} aria-live="polite">
      {words}
    </Button>
  )
}
