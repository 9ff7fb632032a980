MODULE flexible.
X :- foo X.
