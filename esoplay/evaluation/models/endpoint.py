"""Models behind an endpoint that speaks OpenAI's chat completions, by OpenAI's client.

Needs the extra ``llm``; see docs/adr/0015-models-are-asked-by-openais-client.md.
"""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn, cast

import httpx2

from esoplay.errors import UsageError
from esoplay.evaluation.models.address import checked_address, proxy_for
from esoplay.evaluation.models.asking import Answer, Declined, Message, Unavailable
from esoplay.evaluation.models.completion import answer_in, message_in
from esoplay.evaluation.models.transport import Guarded
from esoplay.version import VERSION


@contextmanager
def _unset(prefix: str) -> Generator[None]:
    """Without the variables of the environment that begin so."""
    hidden = {name: value for name, value in os.environ.items() if name.startswith(prefix)}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


# The client has settings of its own there, from further headers to a log on stderr.
_ITS_VARIABLES = "OPENAI_"

with _unset(_ITS_VARIABLES):
    import openai

_AGAIN = frozenset({408, 409, 425, 429})
_HOPELESS = frozenset({401, 402, 403, 404, 405, 407, 410})


class Endpoint:
    """``key`` is sent as a bearer token, and kept out of all that is told.

    timeout: seconds for one answer.  extra: further members of each request, which go before ours.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: str | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float = 600.0,
    ):
        address = checked_address(base_url)
        self._url = f"{address}/chat/completions"
        self._key = key
        self._timeout = timeout
        self._model = model
        self._body: dict[str, Any] = {}
        if temperature is not None:
            self._body["temperature"] = temperature
        if max_tokens is not None:
            self._body["max_tokens"] = max_tokens
        self._body |= extra or {}
        headers = {"Accept": "application/json", "User-Agent": f"esoplay/{VERSION}"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        try:
            self._transport = Guarded(headers, timeout, proxy_for(address))
        except (ValueError, ImportError, httpx2.InvalidURL):
            raise UsageError(  # the proxy's address may hold a password
                "the proxy that the environment names is none that can be used; an address is "
                "such as http://host:3128"
            ) from None
        http = httpx2.Client(
            transport=self._transport, timeout=timeout, trust_env=False, follow_redirects=False
        )
        try:
            with _unset(_ITS_VARIABLES):
                client = openai.OpenAI(
                    api_key="sent by the transport",
                    base_url=address,
                    max_retries=0,  # the transcript has to know of them
                    timeout=timeout,
                    http_client=http,
                )
        except httpx2.InvalidURL as error:
            raise UsageError(f"--base-url: {error}") from None
        self._create = client.chat.completions.with_raw_response.create

    def ask(self, messages: Sequence[Message], seed: int | None) -> Answer:
        """See :class:`Model`."""
        said = [Message(message.role, _sound(message.text)) for message in messages]
        body = self._body if seed is None else {"seed": seed} | self._body
        try:
            response = self._create(
                model=self._model,
                messages=cast("Any", [message.as_json() for message in said]),
                extra_body=body,
            )
        except openai.APIStatusError as error:
            self._refused(error)
        except openai.APITimeoutError:
            raise Unavailable(f"no whole answer within {self._timeout:g} s") from None
        except (openai.APIConnectionError, OSError, ValueError) as error:
            self._unheard(error)  # a ValueError: a name that cannot be looked up
        return answer_in(response.content)

    def close(self) -> None:
        """See :class:`Model`."""
        self._transport.close()

    def _refused(self, error: openai.APIStatusError) -> NoReturn:
        code, response = error.status_code, error.response
        told = message_in(response.content) or response.reason_phrase
        reason = self._harmless(f"{code}: {told}")
        if code in _AGAIN or code >= 500:
            raise Unavailable(reason, retry_after(response.headers.get("Retry-After"))) from None
        if code in _HOPELESS or code < 400:
            raise UsageError(f"{self._url} refuses to answer: {reason}") from None
        raise Declined(reason) from None

    def _unheard(self, error: Exception) -> NoReturn:
        cause: BaseException | None = error
        while (cause := cause.__cause__ or cause.__context__) is not None:
            if isinstance(cause, (Declined, Unavailable)):
                raise cause from None  # the transport's, which some versions of the client wrap
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise UsageError(f"{self._url}: {cause.verify_message}") from None
        why = error.__cause__ or error
        raise Unavailable(self._harmless(f"no answer: {str(why) or type(why).__name__}")) from None

    def _harmless(self, text: str) -> str:
        """What an endpoint says may hold the key, which it was sent."""
        return text.replace(self._key, "***") if self._key else text


def retry_after(text: str | None, now: float | None = None) -> float | None:
    """Seconds by the value of a ``Retry-After`` header: a number or a date (RFC 9110, 10.2.3)."""
    if text is None:
        return None
    try:
        return max(0.0, float(text)) if float(text) < float("inf") else None
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def _sound(text: str) -> str:
    """What may be quoted of an answer in JSON: lone surrogates are no text, and others say so."""
    return text.encode("utf-8", "replace").decode("utf-8")
