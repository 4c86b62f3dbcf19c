export { addedTexts, checkedText, templateAt, textToSend } from './mail-template.service.ts'
