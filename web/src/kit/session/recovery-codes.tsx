import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { saveFile } from '../api/files.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './recovery-codes.module.css'

/** The codes for the day the phone is lost: told once, to be copied, saved or printed. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('auth')
  const heading = t('codes.heading')
  const text = [heading, '', ...codes, ''].join('\n')
  return (
    <div className={classes.codes}>
      <Notice tone="warn" icon="key">
        {t('codes.text')}
      </Notice>
      <ul className={classes.list} aria-label={t('codes.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.actions}>
        <CopyButton text={text} label={t('codes.copy')} />
        <Button
          size="compact-sm"
          leftSection={<Icon name="download" />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), 'waybill-recovery-codes.txt')}
        >
          {t('codes.download')}
        </Button>
        <Button size="compact-sm" leftSection={<Icon name="file" />} onClick={() => printText(heading, text)}>
          {t('codes.print')}
        </Button>
      </div>
    </div>
  )
}

/** Prints the text alone, not the page around it. */
function printText(title: string, text: string): void {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const page = frame.contentDocument!
  page.title = title
  const block = page.createElement('pre')
  block.textContent = text
  page.body.append(block)
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}
