/** Answers as fetch does, and fails as it does where there is no answer. */
export function sendForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  form: FormData,
  onSent: (part: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new TypeError('The form could not be sent'));
    request.send(form);
  });
}

function answerOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const end = line.indexOf(':');
    if (end > 0) headers.append(line.slice(0, end), line.slice(end + 1).trim());
  }
  return new Response(responseText === '' ? null : responseText, { status, statusText, headers });
}
