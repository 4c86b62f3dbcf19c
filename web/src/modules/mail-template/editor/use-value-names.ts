import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { Line } from '@waybill/contract/kit/rich-text'
import type { TemplateWrite } from '@waybill/contract/email/template'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import type { Catalogue } from '../text/catalogue.ts'
import { blockLines, linesOf } from './template-values.ts'

/** What the parts of a text are called in messages, and what they say in words. */
export function useValueNames(catalogue: Catalogue) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  const nameOf = (block: MailBlock, index: number): string =>
    t('placed', { name: t(`block.${block.kind}`), place: index + 1 })
  /** A block that has no words of its own */
  const kindWords = (block: MailBlock): string => {
    if (block.kind === 'stops')
      return t('says.stops', { columns: format.list(block.columns.map((one) => t(`stopColumn.${one}`))) })
    if (block.kind === 'cargo')
      return t('says.cargo', { columns: format.list(block.columns.map((one) => t(`cargoColumn.${one}`))) })
    if (block.kind === 'signature') return format.list(block.lines.map((one) => t(`signatureLine.${one}`)))
    if (block.kind === 'button') return `${block.label} → ${block.target}`
    return t(`block.${block.kind}`)
  }
  const inLines = (block: MailBlock) => blockLines(block, catalogue.labelOf, kindWords).join('\n')
  return {
    nameOf,
    linesOf: (text: Pick<TemplateWrite, 'subject' | 'blocks'>) => linesOf(text, catalogue.labelOf, kindWords),
    labelOf: (path: string, values: TemplateWrite): string => {
      const [top, place, part, row] = path.split('.')
      if (top === 'replyTo') return t('replyTo.label')
      if (top === 'isOn') return t('isOn')
      if (top === 'subject') return t('subject')
      const block = values.blocks[Number(place)]
      if (place === undefined || block === undefined) return t('blocks')
      const name = nameOf(block, Number(place))
      if (part === 'onlyIf') return t('partOf', { name, part: t('onlyIf.title') })
      if (part === 'rows' && row !== undefined) return t('partOf', { name, part: t('row', { place: Number(row) + 1 }) })
      if (part === 'label') return t('partOf', { name, part: t('button.label') })
      if (part === 'target') return t('partOf', { name, part: t('button.leads') })
      return name
    },
    wordsOf: (path: string, value: unknown): string => {
      const [top, place, part] = path.split('.')
      if (value === null || value === undefined) return t('nothing')
      if (top === 'replyTo') return t(`replyTo.${value as 'caseWorker'}`)
      if (top === 'isOn') return t(value === true ? 'yes' : 'no')
      if (top === 'subject') return linesOf({ subject: value as Line, blocks: [] }, catalogue.labelOf, kindWords)[0]!
      if (place === undefined || part === undefined)
        return Array.isArray(value)
          ? format.list((value as MailBlock[]).map((block, index) => nameOf(block, index)))
          : inLines(value as MailBlock)
      if (part === 'text') {
        const isLine = (value as { type: string }[]).every(({ type }) => type === 'text' || type === 'variable')
        const block = { id: '', onlyIf: null, kind: isLine ? 'heading' : 'paragraph', text: value } as MailBlock
        return inLines(block)
      }
      if (part === 'rows') return inLines({ id: '', onlyIf: null, kind: 'facts', rows: value } as MailBlock)
      if (part === 'onlyIf') {
        const { variable, equals } = value as NonNullable<MailBlock['onlyIf']>
        return [catalogue.labelOf(variable), ...(equals ?? [])].join(' = ')
      }
      return Array.isArray(value) ? format.list(value.map(String)) : String(value)
    },
  }
}
