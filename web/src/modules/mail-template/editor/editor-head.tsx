import { Button, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { testTemplate } from '@waybill/contract/email/template'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { UnsavedMark } from '../../../kit/form/page/save-bar.tsx'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { templateListLink } from '../template-names.ts'
import classes from './editor.module.css'
import type { TemplateForm, TemplateView } from './use-template-form.ts'

interface EditorHeadProps {
  form: TemplateForm
  template: TemplateView
  title: string
  /** When the mail goes, and to whom */
  note: string
  /** How many fields there are that nobody knows: nothing is saved or sent with them */
  wrong: number
  orderId: number | null
  isComparing: boolean
  onVersions: () => void
  onBack: () => void
  onTakeOver: () => void
}

/** What the text is called, and what is done with the whole of it. */
export function EditorHead({
  form,
  template,
  title,
  note,
  wrong,
  orderId,
  isComparing,
  onVersions,
  onBack,
  onTakeOver,
}: EditorHeadProps) {
  const { t } = useTranslation('mail-template')
  const errorText = useErrorText()
  const [isSending, setSending] = useState(false)
  const { id, key, department, name } = template
  useShortcut({ key: 's', mod: true, label: t('save'), run: () => void form.save(), isEverywhere: true })
  const sendTest = async () => {
    setSending(true)
    try {
      const { to } = await callApi(testTemplate, { params: { id, key }, body: { text: form.values(), orderId } })
      notify({ tone: 'ok', title: t('test.sent'), detail: to, closeLabel: t('close') })
    } catch (error) {
      if (!form.takeRefusal(error))
        notify({ tone: 'danger', title: t('test.notSent'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setSending(false)
    }
  }
  const back = template.isOwn ? (
    <Menu.Item leftSection={<Icon name="undo" />} onClick={onBack}>
      {t(name === null ? 'back.confirm' : 'back.delete')}
    </Menu.Item>
  ) : (
    <Menu.Item disabled leftSection={<Icon name="undo" />}>
      {t('back.isStandard')}
    </Menu.Item>
  )
  return (
    <header className={classes.head}>
      <BackLink {...templateListLink(id)} label={t('toList', { department: department.title })} />
      <div className={classes.name}>
        <h1 title={title}>{title}</h1>
        <p>
          <Link {...templateListLink(id)}>{department.title}</Link> · {note}
        </p>
      </div>
      {wrong > 0 ? (
        <span className={classes.why} id="why-not-saved">
          {t('cannotSave', { count: wrong })}
        </span>
      ) : (
        <UnsavedMark form={form} />
      )}
      <Button
        className={classes.deskOnly}
        leftSection={<Icon name="send" />}
        loading={isSending}
        disabled={wrong > 0}
        onClick={() => void sendTest()}
      >
        {t('test.send')}
      </Button>
      <Button
        className={classes.deskOnly}
        leftSection={<Icon name="history" />}
        aria-pressed={isComparing}
        onClick={onVersions}
      >
        {t('versions.title')}
      </Button>
      <Button
        className={classes.deskOnly}
        variant="filled"
        loading={form.isSaving}
        disabled={wrong > 0}
        aria-describedby={wrong > 0 ? 'why-not-saved' : undefined}
        onClick={() => void form.save()}
      >
        {t('save')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" aria-label={t('more')} className={classes.more}>
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            className={classes.phoneOnly}
            leftSection={<Icon name="send" />}
            disabled={wrong > 0}
            onClick={() => void sendTest()}
          >
            {t('test.send')}
          </Menu.Item>
          <Menu.Item className={classes.phoneOnly} leftSection={<Icon name="history" />} onClick={onVersions}>
            {t('versions.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="copy" />} onClick={onTakeOver}>
            {t('takeOver.open')} …
          </Menu.Item>
          {back}
        </Menu.Dropdown>
      </Menu>
    </header>
  )
}
