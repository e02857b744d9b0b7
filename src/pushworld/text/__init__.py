"""PushWorld for language and vision models: texts, prompts, answers, episodes, tasks and scores."""

from pushworld.text.answers import NOTATIONS, AnswerError, read_answer
from pushworld.text.description import FORMATS, describe
from pushworld.text.episode import Episode
from pushworld.text.evaluation_set import CANARY
from pushworld.text.pictures import picture
from pushworld.text.prompts import interactive_prompt, one_shot_prompt, prompt_for
from pushworld.text.questions import Question, all_asked, asked, question_of
from pushworld.text.scores import Score, reward, score_answer, score_plan
from pushworld.text.tasks import KINDS, Task, tasks
from pushworld.text.training import Curriculum, Reward, episode_reward, exact_reward

__all__ = [
    "CANARY",
    "FORMATS",
    "KINDS",
    "NOTATIONS",
    "AnswerError",
    "Curriculum",
    "Episode",
    "Question",
    "Reward",
    "Score",
    "Task",
    "all_asked",
    "asked",
    "describe",
    "episode_reward",
    "exact_reward",
    "interactive_prompt",
    "one_shot_prompt",
    "picture",
    "prompt_for",
    "question_of",
    "read_answer",
    "reward",
    "score_answer",
    "score_plan",
    "tasks",
]
