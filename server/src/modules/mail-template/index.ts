export { standardText } from './standard-texts.ts'
export { addedTexts, checkedText, templateAt, textToSend } from './mail-template.service.ts'
export { checkedPaper, paperTemplateAt, paperToPrint } from './paper-template.service.ts'
export { standardConditions } from './standard-paper.rules.ts'
