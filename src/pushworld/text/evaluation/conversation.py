"""The conversation about one task: what is sent next, and what the answers so far achieved.

It is a function of the settings, the task and the answers alone. So an evaluation continues inside an
episode, and anyone can compute the score of a journal again.
"""

from collections.abc import Iterable

from pushworld.text import Episode, Score, Task, prompt_for, score_answer
from pushworld.text.evaluation.endpoint import Message
from pushworld.text.evaluation.settings import Settings
from pushworld.text.pictures import picture_url


class Conversation:
    """The messages about one task."""

    def __init__(self, settings: Settings, task: Task, answers: Iterable[str] = ()) -> None:
        self.task = task
        self.answers: list[str] = []
        self.episode: Episode | None = None  # the game, if the conversation is interactive
        self._settings = settings
        shown = settings.shown
        if settings.mode == "interactive" and task.kind == "plan":
            known = {"budget": settings.budget, "undo": settings.undo, **shown}
            self.episode = Episode(task.puzzle, best_known=task.best_known, **known)
        # the prompt and what followed each answer, as sent
        self.texts = [self.episode.prompt if self.episode else prompt_for(task, **shown)]
        self._states = [task.puzzle.initial_state]
        for answer in answers:
            self.add(answer)

    @property
    def done(self) -> bool:
        """Whether no further answer is wanted."""
        if self.episode is None:
            return bool(self.answers)
        return self.episode.done or len(self.answers) >= self._settings.max_turns

    def add(self, answer: str) -> None:
        """Adds an answer, and what the model sees next."""
        self.answers.append(answer)
        if self.episode is not None:
            self.texts.append(self.episode.reply(answer))
            self._states.append(self.episode.state)

    def messages(self) -> list[Message]:
        """Returns what to send: the prompt and the last exchanges, as many as the settings say."""
        count, history = len(self.answers), self._settings.history
        first = 0 if history is None else max(0, count - history)
        messages = [self._message(0, self.texts[0])]
        for index in range(first, count):
            messages.append({"role": "assistant", "content": self.answers[index]})
            messages.append(self._message(index + 1, self.texts[index + 1]))
        if first and self.episode is not None:  # the state now may be in what is left out
            text, now = self.texts[-1], self.episode.observation
            text = text if now in text else f"{text}\n{now}"
            text = f"{self.texts[0]}\n\n{text}" if first == count else text
            messages[-1] = self._message(-1, text)
        return messages

    def score(self, *, prove: bool) -> Score:
        """Returns the score of the answers; a task without any answer achieved nothing."""
        if self.episode is not None:
            return self.episode.score(prove=prove)
        answer = self.answers[0] if self.answers else ""
        return score_answer(self.task, answer, notation=self._settings.notation, prove=prove)

    def _message(self, index: int, text: str) -> Message:
        if not self._settings.picture:
            return {"role": "user", "content": text}
        url = picture_url(self.task.puzzle, self._states[index])
        image = {"type": "image_url", "image_url": {"url": url}}
        return {"role": "user", "content": [{"type": "text", "text": text}, image]}


def prompt_of(settings: Settings, task: Task) -> str:
    """Returns the first message about a task, without its picture."""
    return Conversation(settings, task).texts[0]
