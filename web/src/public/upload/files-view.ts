import type { UploadKind, UploadPage } from '@waybill/contract/public/upload-link'
import { element, icon } from '../shell/element.ts'
import { sizeText } from '../shell/parts.ts'
import type { Words } from './upload-words.ts'
import type { FileSender, SentFile } from './send-files.ts'

interface Settings {
  kind: UploadKind
  words: Words
  sender: FileSender
  say: (text: string) => void
  page: UploadPage
}

const ACCEPT: Readonly<Record<UploadKind, string>> = {
  pod: 'image/*,application/pdf,.pdf',
  invoice: 'application/pdf,.pdf,application/xml,text/xml,.xml,image/*',
}

/** One step of the page that takes files: its button, its camera, and what was chosen. */
export function filesView({ kind, words, sender, say }: Settings) {
  const { t } = words
  const rows = new Map<string, ReturnType<typeof fileRow>>()
  const list = element('ul', { class: 'files', 'aria-label': t(kind === 'pod' ? 'podFiles' : 'invoiceFiles') })

  const chooser = (label: string, attributes: Record<string, string | boolean>, className: string) => {
    const input = element('input', {
      type: 'file',
      class: 'unseen',
      tabindex: '-1',
      'aria-hidden': 'true',
      ...attributes,
      onchange: () => {
        sender.add(kind, [...(input.files ?? [])])
        // The same file once more would be no change.
        input.value = ''
      },
    })
    const button = element('button', { type: 'button', class: className, onclick: () => input.click() }, label)
    return [input, button] as const
  }
  const [pick, pickButton] = chooser(
    t(kind === 'pod' ? 'choosePod' : 'chooseInvoice'),
    { accept: ACCEPT[kind], multiple: kind === 'pod', 'data-kind': kind },
    'btn',
  )
  const [photo, photoButton] = chooser(
    t('takePhoto'),
    { accept: 'image/*', capture: 'environment', 'data-photo': kind },
    'btn photo',
  )

  function fileRow(file: SentFile) {
    const title = element('b', { class: 'name' })
    const said = element('span', { class: 'said' })
    const bar = element('progress', { max: '1', 'aria-label': t('progressOf', { title: file.title }) })
    const again = element('button', { type: 'button', class: 'btn small', onclick: () => sender.goOn() }, t('tryAgain'))
    const remove = element(
      'button',
      { type: 'button', class: 'cross', 'aria-label': t('remove', { title: file.title }) },
      icon('cross'),
    )
    remove.addEventListener('click', async () => {
      remove.disabled = true
      const isGone = await sender.remove(file, words.language)
      remove.disabled = false
      say(t(isGone ? 'removed' : 'notRemoved', { title: file.title }))
      if (isGone) pickButton.focus()
    })
    const row = element(
      'li',
      { class: 'file' },
      icon('file'),
      element('div', { class: 'grow' }, title, bar, said, again),
      remove,
    )
    const update = () => {
      const { state, share, sizeBytes, message } = file
      title.textContent = file.title
      row.dataset.state = state
      bar.hidden = state !== 'sending'
      bar.value = share
      again.hidden = state !== 'stopped'
      const size = sizeText(sizeBytes, words)
      const texts: Readonly<Record<SentFile['state'], () => string>> = {
        preparing: () => t('preparing'),
        waiting: () => t('waiting', { size }),
        sending: () => t('sending', { size, share: Math.floor(share * 100) }),
        stopped: () => t('stopped', { size }),
        refused: () => message ?? t('fileRefused'),
        done: () => t('uploaded', { size }),
      }
      said.textContent = texts[state]()
    }
    return { row, update }
  }

  /** Draws what has changed, and leaves the rest as it stands: nobody loses the button that has the focus. */
  function update(): void {
    const files = sender.list().filter((file) => file.kind === kind)
    for (const [key, { row }] of rows) {
      if (files.some((file) => file.key === key)) continue
      row.remove()
      rows.delete(key)
    }
    for (const file of files) {
      if (!rows.has(file.key)) {
        const made = fileRow(file)
        rows.set(file.key, made)
        list.append(made.row)
      }
      rows.get(file.key)!.update()
    }
    list.hidden = files.length === 0
  }
  update()

  const root = element(
    'div',
    {},
    list,
    element('div', { class: 'choose' }, pick, pickButton, photo, photoButton),
    element('p', { class: 'note' }, t(kind === 'pod' ? 'podNote' : 'invoiceNote')),
  )
  return { root, update, focus: () => pickButton.focus() }
}
